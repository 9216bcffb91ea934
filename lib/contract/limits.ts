/** Bounds that both sides know. Sizes are counts unless the name says otherwise. */
export const DISCUSSION_ROOMS_LIMIT = 10
export const ROYAL_GAMES_LIMIT = 500
export const COMMENT_BODY_MAX = 10_000
export const COMMENTS_TAKE_MAX = 50
export const PRESETS_LIMIT = 100
export const PRESET_MAX_BYTES = 102_400
export const PRESET_NAME_MAX = 100
export const SEARCH_TAKE_MAX = 50
export const PAGE_MAX = 1_000_000
export const BODY_MAX_BYTES = 1024 * 1024
