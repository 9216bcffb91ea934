import { BODY_MAX_BYTES, EntriesBody, EntryResults } from '../lib/contract/index.ts'
import { takeEntries } from '../lib/domain/conflicts/intake/take-entries.ts'
import { ENTRIES_TIMEOUT_MS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Hand over entries of a source, and learn what becomes of each',
  description:
    'Entries that the matcher is sure of are linked by the background writer; doubtful ones wait for an admin. The same list again changes nothing.',
  auth: 'admin',
  scope: 'entries',
  body: EntriesBody,
  maxBodyBytes: BODY_MAX_BYTES.entries,
  timeoutMs: ENTRIES_TIMEOUT_MS,
  response: EntryResults,

  async handle({ body, deps }) {
    return { results: await takeEntries(deps, body, { syncNew: deps.config.syncNew }) }
  },
})
