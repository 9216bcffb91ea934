import type { JsonSchema } from './schema-book.ts'

type Schemas = Record<string, JsonSchema>

const bounds = (from: number | undefined, to: number | undefined) =>
  from === undefined && to === undefined ? '' : ` (${from ?? 0}..${to ?? ''})`

function writeObject(schema: JsonSchema, schemas: Schemas, indent: string): string {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, field]) => {
    if (typeof field === 'boolean') return `${indent}  ${name}: unknown`
    const fallback = field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`
    return `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${writeShape(field, schemas, `${indent}  `)}${fallback}`
  })
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`
}

/** Writes a schema for readers in the form of a type: `{ gameIds: string[] (1..500) }`. */
export function writeShape(schema: JsonSchema, schemas: Schemas, indent = ''): string {
  const { $ref, const: only, enum: values, anyOf, type, items, minItems, maxItems, format } = schema
  const write = (inner: JsonSchema) => writeShape(inner, schemas, indent)

  if ($ref !== undefined) return write(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf !== undefined) return anyOf.map(write).join(' | ')
  if (type === 'object') return writeObject(schema, schemas, indent)
  if (typeof items === 'object' && !Array.isArray(items)) return `${write(items)}[]${bounds(minItems, maxItems)}`
  if (format === 'date-time') return 'string (ISO 8601)'
  return [type ?? 'unknown'].flat().join(' | ')
}
