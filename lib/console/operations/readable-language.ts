// uPlot formats numbers in the browser's language while it is loaded, and a POSIX locale (`en-US@posix`) is no language tag.
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}

export {}
