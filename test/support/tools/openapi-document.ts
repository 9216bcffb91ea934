import { readConfig } from '#lib/base/config'
import { createDocuments } from '#lib/web/docs/create-documents'
import { loadFunctions } from '#lib/web/http/load-functions'
import type { Caller } from '../clients/caller.ts'

/** The functions of the service and what is documented of them. */
export async function loadDocument() {
  const functions = await loadFunctions()
  const { openApi } = createDocuments({
    functions,
    namespaces: [],
    config: readConfig({ PUBLIC_URL: 'http://localhost' }),
  })
  const document: OpenApiDocument = JSON.parse(openApi())
  return { functions, document }
}

/** The parts of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, ResponseObject>
    parameters: Record<string, Parameter>
    headers: Record<string, object>
    securitySchemes: Record<string, object>
  }
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject | Ref>
}

export interface Ref {
  $ref: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

interface ResponseObject {
  description: string
  headers: Record<string, object>
  content: Content
}

export interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  pattern?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

type Content = Record<string, { schema?: Schema }>

export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
  )

export const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema

/** Returns the function of a caller that sends requests of a method. */
export const callOf = (caller: Caller, method: string) =>
  // The methods of all endpoints are those of a caller.
  caller[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete']

export function resolveRef<T extends object>({ components }: OpenApiDocument, part: T | Ref): T {
  if (!('$ref' in part) || part.$ref === undefined) return part as T
  const [kind = '', name = ''] = String(part.$ref).split('/').slice(2)
  const named: Record<string, Record<string, object>> = { ...components }
  const found = named[kind]?.[name]
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere`)
  // A reference stands where its target could stand.
  return found as T
}

/** Makes a value that a schema admits, as far as its keywords are simple. */
export function sampleOfSchema(
  document: OpenApiDocument,
  schema: Schema,
  options: { isFull: boolean; id: string },
): unknown {
  const { type, properties = {}, required = [], enum: values, anyOf, items, ...bounds } = resolveRef(document, schema)
  const { pattern = '', examples } = bounds
  if (examples) return examples[0]
  if (values) return values[0]
  if (type === undefined && anyOf?.[0]) return sampleOfSchema(document, anyOf[0], options)
  if (type === 'object') {
    const sent = Object.entries(properties).filter(([name]) => options.isFull || required.includes(name))
    return Object.fromEntries(sent.map(([name, field]) => [name, sampleOfSchema(document, field, options)]))
  }
  if (type === 'array' && items) return [sampleOfSchema(document, items, options)]
  if (type === 'null') return null
  if (type === 'integer') return bounds.minimum ?? 1
  if (type === 'boolean') return true
  if (pattern.includes('{24}')) return options.id
  return pattern.includes('@') ? 'somebody@example.com' : 'x'.repeat(Math.max(8, bounds.minLength ?? 0))
}
