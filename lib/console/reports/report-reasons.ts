import type { ReportReason } from '../../contract/reports.ts'

export const REPORT_REASONS: readonly { value: ReportReason; name: string }[] = [
  { value: 'spam', name: 'Spam' },
  { value: 'abuse', name: 'Abuse' },
  { value: 'spoiler', name: 'Spoiler' },
  { value: 'off-topic', name: 'Off topic' },
  { value: 'other', name: 'Something else' },
]

export const nameReason = (reason: ReportReason): string =>
  REPORT_REASONS.find(({ value }) => value === reason)?.name ?? reason
