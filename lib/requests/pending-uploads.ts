import type { ContentRequestDocument } from '../db/collections/content-requests.ts'

/** `work` is the name under which the last release stored `pendingUploads`. */
export const PENDING_UPLOADS_FIELDS = { pendingUploads: 1, work: 1 } as const

export type StoredPendingUploads = Pick<ContentRequestDocument, keyof typeof PENDING_UPLOADS_FIELDS>

/** The keys that are recorded on a request, under either name. */
export const readPendingUploads = ({ pendingUploads = [], work = [] }: StoredPendingUploads): string[] => [
  ...pendingUploads,
  ...work,
]
