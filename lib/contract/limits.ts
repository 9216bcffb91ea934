/** Bounds that both sides know. Sizes are counts unless the name says otherwise. */
export const USER_NAME_MIN = 3
export const USER_NAME_MAX = 32
/** Characters of a user name before it is trimmed and normalised. */
export const USER_NAME_SENT_MAX = 200
export const EMAIL_MAX = 254
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 200
/** Characters of the token of a one-time link. */
export const LINK_TOKEN_MAX = 100
/** Characters of a user's description. */
export const DESCRIPTION_MAX = 1_000
/** Characters of the reason of a suspension, and of a note about a user. */
export const PERSON_TEXT_MAX = 1_000
export const DISCUSSION_ROOMS_LIMIT = 10
export const ROYAL_GAMES_LIMIT = 500
export const COMMENT_BODY_MAX = 10_000
/** The elements of a comment's markup. */
export const COMMENT_TAGS = 'p br strong em s code pre h3 ul ol li blockquote a img'.split(' ')
/** Characters of a stored text that a client may send back. */
export const COMMENT_STORED_MAX = 64 * 1024
/** Rows of a page of every list but that of requests. */
export const TAKE_MAX = 50
/** Comments and requests of a new account in ten minutes, and links of each of its comments. */
export const NEW_ACCOUNT_COMMENTS = 5
export const NEW_ACCOUNT_REQUESTS = 3
export const NEW_ACCOUNT_LINKS = 2
/** Comments that pages reach. */
export const COMMENTS_PAGED_MAX = 10_000
/** Characters of a comment's text in lists of discussions and notifications. */
export const EXCERPT_MAX = 200
/** Newest visible comments that determine the active discussions. */
export const RECENT_COMMENTS_MAX = 1_000
/** Characters of a date. */
export const DATE_TEXT_MAX = 40
/** Ids in one request to mark notifications as read. */
export const NOTIFICATIONS_READ_MAX = 100
/** Stored notifications of one user, the newest. */
export const NOTIFICATIONS_KEPT = 500
export const NOTIFICATION_ACTORS_MAX = 3
export const PRESETS_LIMIT = 100
export const PRESET_MAX_BYTES = 102_400
/** All presets of a user together, names included. */
export const PRESETS_MAX_BYTES = 1024 * 1024
/** Games of a preset that is a list. */
export const PRESET_GAMES_LIMIT = 500
export const PRESET_NAME_MAX = 100
/** Highest total that a search reports. */
export const SEARCH_TOTAL_MAX = 1_000
/** Games of one request by ids, as many as a royal list has. */
export const GAMES_BY_IDS_MAX = 500
export const SEARCH_STRING_MIN = 2
export const SEARCH_STRING_MAX = 200
export const CONFLICT_DAYS_MAX = 365
export const CONFLICT_SEARCH_MAX = 200
/** Characters of a path segment that is not an id. No request head is larger, so a long unknown segment is 404, not 400. */
export const PATH_TEXT_MAX = 32 * 1024
/** An id of a source: `1234`, `v17`. */
export const EXTERNAL_ID_MAX = 200
/** Entries that a parser hands over at once. */
export const ENTRIES_MAX = 500
/** Members of a list of an entry. */
export const ENTRY_LIST_MAX = 200
export const ENTRY_NAME_MAX = 500
export const ENTRY_TEXT_MAX = 20_000
/** Entries of HLTB for one game. */
export const HLTB_ENTRIES_MAX = 50
export const REQUESTS_TAKE_MAX = 100
/** The reason of a comment that reports have hidden, about which no admin has decided. */
export const REASON_OF_REPORTS = 'reports'
/** Characters of a reporter's note. */
export const REPORT_NOTE_MAX = 500
/** Characters of the reason of a moderation. */
export const MODERATION_REASON_MAX = 1_000
/** Characters of the target of a staff action, such as `<source>/<externalId>`. */
export const STAFF_TARGET_MAX = 250
/** Pending requests of one user. */
export const PENDING_REQUESTS_LIMIT = 20
/** Links of each list of images. */
export const CONTENT_REQUEST_SCREENSHOTS_MAX = 20
export const REQUEST_SOURCES_MAX = 10
export const REQUEST_NOTE_MAX = 2_000
export const REQUEST_REASON_MAX = 1_000
/** Payload, sources and note of a request together, as JSON. */
export const REQUEST_MAX_BYTES = 64 * 1024
/** Characters of a summary, a storyline, a description. */
export const LONG_TEXT_MAX = 5_000
export const LINK_MAX = 2_048
/** A claim that is older than this is abandoned. */
export const CLAIM_TTL_MS = 15 * 60_000
export const PAGE_MAX = 1_000_000
/** Bytes of a request's body. An endpoint names its size, or has the usual one. */
export const BODY_MAX_BYTES = {
  signIn: 4 * 1024,
  usual: 16 * 1024,
  comment: 64 * 1024,
  request: 128 * 1024,
  preset: 1024 * 1024,
  entries: 1024 * 1024,
} as const
/** Nested lists and objects of a body. */
export const BODY_LEVELS_MAX = 64
/** Values of a body, lists and objects included. */
export const BODY_VALUES_MAX = 20_000

/** Characters of a user's id at the site. */
export const SITE_USER_ID_MAX = 200

/** The name of a deleted user where a record of somebody else's work remains. */
export const DELETED_USER = 'deleted user'
