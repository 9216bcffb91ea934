import { expect, test } from 'vitest'
import { readConfig } from '../../../lib/config.ts'
import { checkMetricsToken } from '../../../lib/observability/check-metrics-token.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  PUBLIC_URL: 'https://games.example',
  CORS_ORIGINS: 'https://games.example',
}
const check = (env: Record<string, string>, bearerToken: string | undefined, isLocal = true) =>
  checkMetricsToken({ config: readConfig(env) }, { bearerToken, isLocal })

test('without a token everybody is admitted in development, whatever they say', () => {
  for (const given of [undefined, '', 'anything']) {
    expect(() => check({ METRICS_TOKEN: '' }, given, false)).not.toThrow()
  }
})

test('with a token nobody but who knows it: not a part of it, not more than it, not another case', () => {
  for (const given of [undefined, '', 'scrap', 'scrape ', 'scrapes', 'SCRAPE', 'scrape\0']) {
    expect(() => check({ METRICS_TOKEN: 'scrape' }, given)).toThrow('Unauthorized')
  }
  expect(() => check({ METRICS_TOKEN: 'scrape' }, 'scrape', false)).not.toThrow()
})

test('without a token in production, callers on this machine alone', () => {
  expect(() => check(PRODUCTION, undefined, true)).not.toThrow()
  for (const given of [undefined, '', 'anything']) expect(() => check(PRODUCTION, given, false)).toThrow('Unauthorized')
})
