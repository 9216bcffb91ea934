import { checkMetricsToken } from '../lib/infrastructure/observability/check-metrics-token.ts'
import { defineContent } from '../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Return the metrics of the service in the Prometheus text format',
  auth: 'public',
  takesBearer: true,
  content: ['text/plain'],
  errors: ['UNAUTHORIZED'],

  async handle({ bearerToken, isLocal, deps }) {
    checkMetricsToken(deps, { bearerToken, isLocal })

    return new Response(await deps.metrics.render(), { headers: { 'Content-Type': deps.metrics.contentType } })
  },
})
