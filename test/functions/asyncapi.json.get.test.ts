import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { namespaces } from '../../realtime/namespaces.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService({ env: { PUBLIC_URL: 'https://api.example.com' } })
// biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape of the document.
const document: any = (await service.guest.get('/asyncapi.json')).body

test('200: the document is valid AsyncAPI 3.0, and every reference leads somewhere', () => {
  const validate = addFormats
    .default(new Ajv({ strict: false, allErrors: true }))
    .compile(Object(specs.schemasWithoutId['3.0.0']))
  validate(document)
  expect(validate.errors).toBe(null)

  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(50)
  const find = (path: string) => path.split('/').reduce((part, name) => part?.[name], document)
  expect(references.filter((path) => find(path) === undefined)).toEqual([])
})

test('200: the server is the public address', () => {
  expect(document.servers.public).toMatchObject({ host: 'api.example.com', pathname: '/socket.io/', protocol: 'wss' })
})

test('200: each namespace is a channel, each event and each ack a message', () => {
  expect(Object.values<{ address: string }>(document.channels).map(({ address }) => address)).toEqual(
    namespaces.map(({ facts }) => facts.path),
  )
  for (const { facts } of namespaces) {
    const { messages } = document.channels[facts.path.slice(1)]
    const requests = Object.keys(facts.requests).flatMap((event) => [event, `${event}-ack`])
    const keys = [...requests, ...Object.keys(facts.events)].map((event) => event.replace(':', '-'))
    expect(Object.keys(messages)).toEqual(keys)
  }
})

test('200: a request is received and replied to, an event is sent', () => {
  expect(document.operations['royal-add']).toEqual({
    action: 'receive',
    channel: { $ref: '#/channels/royal' },
    summary: 'Add games before or after the list',
    security: [{ $ref: '#/components/securitySchemes/session' }],
    messages: [{ $ref: '#/channels/royal/messages/royal-add' }],
    reply: {
      channel: { $ref: '#/channels/royal' },
      messages: [{ $ref: '#/channels/royal/messages/royal-add-ack' }],
    },
  })
  expect(document.operations['comment-likes']).toEqual({
    action: 'send',
    channel: { $ref: '#/channels/comments' },
    summary: 'The number of likes of a comment changed',
    messages: [{ $ref: '#/channels/comments/messages/comment-likes' }],
  })
})

test('200: messages carry the schemas of the contract', () => {
  const { schemas } = document.components

  expect(document.channels.comments.messages['comment-likes']).toMatchObject({
    name: 'comment:likes',
    payload: { $ref: '#/components/schemas/CommentLikes' },
  })
  expect(schemas.CommentLikes).toMatchObject({
    type: 'object',
    required: ['gameId', 'commentId', 'likesCount'],
    properties: { likesCount: { type: 'integer' } },
    additionalProperties: false,
  })
  expect(schemas.RoyalAdd.properties.gameIds).toMatchObject({ type: 'array', minItems: 1, maxItems: 500 })
  expect(schemas.RoyalAdd.required).toEqual(['gameIds'])
})
