import { ReportList, ReportsQuery } from '../lib/contract/reports.ts'
import { listReports } from '../lib/domain/reports/list-reports.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List comments with open or decided reports, and those that wait for a moderator, most reports first',
  auth: 'admin',
  query: ReportsQuery,
  response: ReportList,

  handle: ({ query, viewer, deps }) => listReports(deps, { ...query, viewer }),
})
