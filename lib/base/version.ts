/** The release that this is, as the documents and the requests to outside sources name it. */
export const VERSION = '1.0.0'
