import { expect, test } from 'vitest'
import { readConfig } from '../../../lib/config.ts'
import { checkMetricsToken } from '../../../lib/observability/check-metrics-token.ts'

const withToken = (token: string) => ({ config: readConfig({ METRICS_TOKEN: token }) })

test('without a token everybody is admitted, whatever they say', () => {
  for (const given of [undefined, '', 'anything']) {
    expect(() => checkMetricsToken(withToken(''), given)).not.toThrow()
  }
})

test('with a token nobody but who knows it: not a part of it, not more than it, not another case', () => {
  for (const given of [undefined, '', 'scrap', 'scrape ', 'scrapes', 'SCRAPE', 'scrape\0']) {
    expect(() => checkMetricsToken(withToken('scrape'), given)).toThrow('Unauthorized')
  }
  expect(() => checkMetricsToken(withToken('scrape'), 'scrape')).not.toThrow()
})
