/** Browsers. The first pattern that fits counts, because many browsers also name others. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Describes the device of a `User-Agent` header, such as `Firefox on Linux`. Null for an unknown device. */
export function describeDevice(userAgent = ''): string | null {
  const parts = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return parts.length === 0 ? null : parts.join(' on ')
}
