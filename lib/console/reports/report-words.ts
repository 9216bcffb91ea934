import type { ReportReason } from '../../contract/reports.ts'

export const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam',
  abuse: 'Abuse',
  spoiler: 'Spoiler',
  'off-topic': 'Off topic',
  other: 'Something else',
}
// Object.keys answers strings; these are the keys of the type.
export const REASONS = Object.keys(REPORT_REASONS) as readonly ReportReason[]
