/** The page's policy. Proposed images may stand at plain addresses, and a page that came over https would not show them. */
export function consolePolicy(publicUrl: string): string {
  const images = publicUrl.startsWith('http:') ? "'self' https: http: data:" : "'self' https: data:"
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gamehall"
  )
}
