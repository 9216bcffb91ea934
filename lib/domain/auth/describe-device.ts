/** Browsers by the first pattern that fits, since many name others beside themselves. */
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

/** Describes the device of a `User-Agent` header in words; null where it names none that is known. */
export function describeDevice(userAgent = ''): string | null {
  const parts = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return parts.length === 0 ? null : parts.join(' on ')
}
