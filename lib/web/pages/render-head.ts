import { html } from 'hono/html'

/** Renders the first half of a page, to its styles. The addresses are relative, so that a page works below a prefix. */
export const renderHead = (title: string, styles: readonly string[]) => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  ${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}`
