import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Namespace } from '../contract/namespaces/namespace.ts'
import { ADMITTED } from './asyncapi.ts'
import type { DescribedNamespace } from './described-namespace.ts'
import { createMessageBook, type SchemaBook } from './schema-book.ts'
import { writeShape } from './write-shape.ts'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

function renderRequests({ requests }: Namespace, book: SchemaBook): Html[] {
  return Object.entries(requests).map(
    ([event, { summary, payload, ack }]) => html`
      <article class="event">
        <h4><code>${event}</code> <small>client → service</small></h4>
        <p>${summary}.</p>
        <dl>
          <dt>sends</dt><dd><pre>${writeShape(book.input(payload), book.components)}</pre></dd>
          <dt>ack</dt><dd><pre>${writeShape(book.output(ack), book.components)}</pre></dd>
        </dl>
      </article>`,
  )
}

function renderEvents({ events }: Namespace, book: SchemaBook): Html[] {
  return Object.entries(events).map(
    ([event, { summary, payload }]) => html`
      <article class="event">
        <h4><code>${event}</code> <small>service → client</small></h4>
        <p>${summary}.</p>
        <dl><dt>carries</dt><dd><pre>${writeShape(book.output(payload), book.components)}</pre></dd></dl>
      </article>`,
  )
}

export function renderRealtime(namespaces: readonly DescribedNamespace[]): Html {
  const book = createMessageBook(namespaces)
  const sections = namespaces.map(
    ({ facts, admits }) => html`
    <section class="namespace">
      <h3><code>${facts.path}</code></h3>
      <p>${facts.summary}</p>
      <p class="admitted">${ADMITTED[admits]}</p>
      <div class="events">${renderRequests(facts, book)}${renderEvents(facts, book)}</div>
    </section>`,
  )
  return html`${sections}`
}
