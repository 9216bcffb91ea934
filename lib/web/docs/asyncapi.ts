import { VERSION } from '../../base/version.ts'
import type { Namespace } from '../../contract/namespaces/namespace.ts'
import type { DocumentedConfig } from './openapi.ts'
import { createSchemaBook, type JsonSchema, type SchemaBook } from './schema-book.ts'

export interface DescribedNamespace {
  facts: Namespace
  admits: 'anyone' | 'user' | 'admin'
}

/** The document of the Socket.IO namespaces. */
export type AsyncApi = ReturnType<typeof buildAsyncApi>

/** `royal:add` is `royal-add`: a colon may not stand in a key. */
const toKey = (event: string) => event.replaceAll(':', '-')
const toChannel = ({ path }: Namespace) => path.slice(1)

/** Describes which callers a namespace admits, and the error of the others. */
const ADMITTED = {
  anyone: 'Open to everybody; the socket is anonymous.',
  user:
    'Needs the session cookie at the handshake; without one, or with one of another user than `auth.viewerId` names, the ' +
    'connect fails with Unauthorized.',
  admin:
    'Needs the session cookie of an admin at the handshake; without one, or with one of another user than `auth.viewerId` ' +
    'names, the connect fails with Unauthorized, and with Forbidden for everybody else.',
}

/** Describes the messages of a namespace by their keys: requests with their acks, then events. */
function describeMessages({ requests, events }: Namespace, book: SchemaBook) {
  const messages: Record<string, { name: string; title: string; summary: string; payload: JsonSchema }> = {}
  for (const [name, { summary, payload, ack }] of Object.entries(requests)) {
    messages[toKey(name)] = { name, title: name, summary, payload: book.input(payload) }
    const answer = { name, title: `${name} (ack)`, summary: 'The answer', payload: book.output(ack) }
    messages[`${toKey(name)}-ack`] = answer
  }
  for (const [name, { summary, payload }] of Object.entries(events))
    messages[toKey(name)] = { name, title: name, summary, payload: book.output(payload) }
  return messages
}

function describeOperations({ facts, admits }: DescribedNamespace) {
  const channel = { $ref: `#/channels/${toChannel(facts)}` }
  const message = (key: string) => ({ $ref: `${channel.$ref}/messages/${key}` })
  const security = admits === 'anyone' ? {} : { security: [{ $ref: '#/components/securitySchemes/session' }] }

  const operation = (action: 'receive' | 'send', key: string, summary: string) => {
    return { action, channel, summary, ...security, messages: [message(key)] }
  }
  const requests = Object.entries(facts.requests).map(([event, { summary }]) => {
    const key = toKey(event)
    const reply = { channel, messages: [message(`${key}-ack`)] }
    return [key, { ...operation('receive', key, summary), reply }] as const
  })
  const events = Object.entries(facts.events).map(([event, { summary }]) => {
    const key = toKey(event)
    return [key, operation('send', key, summary)] as const
  })
  return [...requests, ...events]
}

/** Describes the Socket.IO namespaces as an AsyncAPI 3 document, from the contract that both sides share. */
export function buildAsyncApi(namespaces: readonly DescribedNamespace[], config: DocumentedConfig) {
  const requests = namespaces.flatMap(({ facts }) => Object.values(facts.requests))
  const events = namespaces.flatMap(({ facts }) => Object.values(facts.events))
  const book = createSchemaBook({
    inputs: requests.map(({ payload }) => payload),
    outputs: [...requests.map(({ ack }) => ack), ...events.map(({ payload }) => payload)],
  })
  const { host, protocol } = new URL(config.publicUrl)

  return {
    asyncapi: '3.0.0',
    info: {
      title: 'gamehall',
      version: VERSION,
      description:
        'The Socket.IO namespaces. A channel is a namespace, a message an event; requests are answered through the ack, ' +
        'where the client asks for one. Every change but those of the royal list goes through REST. A service key opens none.',
    },
    defaultContentType: 'application/json',
    servers: {
      public: {
        host,
        pathname: config.socketPath,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        description: 'Engine.IO revision 4 (`EIO=4`): HTTP long-polling, then an upgrade to WebSocket.',
      },
    },
    channels: Object.fromEntries(
      namespaces.map(({ facts, admits }) => [
        toChannel(facts),
        {
          address: facts.path,
          summary: facts.summary,
          description: ADMITTED[admits],
          ...(facts.query && { bindings: { ws: { query: book.input(facts.query), bindingVersion: '0.1.0' } } }),
          messages: describeMessages(facts, book),
        },
      ]),
    ),
    operations: Object.fromEntries(namespaces.flatMap(describeOperations)),
    components: {
      schemas: book.components,
      securitySchemes: {
        session: {
          type: 'httpApiKey',
          in: 'cookie',
          name: config.sessionCookie,
          description:
            'Read once from the handshake of the connection, whose Origin, when there is one, must be an allowed one.',
        },
      },
    },
  }
}
