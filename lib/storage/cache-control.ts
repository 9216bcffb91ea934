/** What is stored under a key is not replaced by something else: a new image gets a new key. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable'
