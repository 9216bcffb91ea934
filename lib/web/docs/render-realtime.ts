import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { ADMITTED } from './asyncapi.ts'
import type { DescribedNamespace } from './described-namespace.ts'
import { createMessageBook, type JsonSchema } from './schema-book.ts'
import { writeShape } from './write-shape.ts'

const renderEvent = (event: string, direction: string, summary: string, shapes: Record<string, string>) => html`
  <article class="event">
    <h4><code>${event}</code> <small>${direction}</small></h4>
    <p>${summary}.</p>
    <dl>${Object.entries(shapes).map(([term, shape]) => html`<dt>${term}</dt><dd><pre>${shape}</pre></dd>`)}</dl>
  </article>`

/** Renders the namespaces with their requests, acks and events. */
export function renderRealtime(
  namespaces: readonly DescribedNamespace[],
): HtmlEscapedString | Promise<HtmlEscapedString> {
  const book = createMessageBook(namespaces)
  const write = (schema: JsonSchema) => writeShape(schema, book.components)
  const sections = namespaces.map(
    ({ facts, admits }) => html`
    <section class="namespace">
      <h3><code>${facts.path}</code></h3>
      <p>${facts.summary}</p>
      <p class="admitted">${ADMITTED[admits]}</p>
      <div class="events">
        ${Object.entries(facts.requests).map(([event, { summary, payload, ack }]) =>
          renderEvent(event, 'client → service', summary, {
            sends: write(book.input(payload)),
            ack: write(book.output(ack)),
          }),
        )}
        ${Object.entries(facts.events).map(([event, { summary, payload }]) =>
          renderEvent(event, 'service → client', summary, { carries: write(book.output(payload)) }),
        )}
      </div>
    </section>`,
  )
  return html`${sections}`
}
