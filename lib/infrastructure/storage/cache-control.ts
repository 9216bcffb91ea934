/** A stored object is never replaced: a new image gets a new key. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable'
