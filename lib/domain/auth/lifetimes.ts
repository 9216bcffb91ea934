export const ACCESS_TOKEN_SECONDS = 15 * 60
/** The longest lifetime of a cookie in browsers. */
export const KNOWN_DEVICE_SECONDS = 400 * 24 * 60 * 60
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60
