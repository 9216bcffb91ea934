import { z } from 'zod'
import * as contract from '../../contract/index.ts'

/** Parameters and fields are described one by one, texts and enums where they stand. */
function isNamed(name: string, schema: unknown): schema is z.ZodType {
  if (/(Params|Query|Fields)$/.test(name)) return false
  if (schema instanceof z.ZodPipe) return isNamed(name, schema.in)
  if (schema instanceof z.ZodOptional) return isNamed(name, schema.unwrap())
  return [z.ZodObject, z.ZodArray, z.ZodUnion].some((kind) => schema instanceof kind)
}

for (const [name, schema] of Object.entries(contract)) {
  if (isNamed(name, schema)) z.globalRegistry.add(schema, { ...schema.meta(), id: name })
}

export interface JsonSchema extends z.core.JSONSchema.JSONSchema {}

export type JsonObject = Record<string, unknown>

/** The schemas of one document. Those of the contract appear once, in its components, by the names of their exports. */
export type SchemaBook = ReturnType<typeof createSchemaBook>

interface BookOptions {
  inputs: readonly z.ZodType[]
  outputs: readonly z.ZodType[]
}

type Io = 'input' | 'output'

/** Removes text checks of numbers and dates, and the bounds of safe integers, which readers do not need. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.type === 'integer') delete jsonSchema.maxLength
  if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** `#/$defs/Comment` is `Comment`. */
const idIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** Converts zod schemas to JSON Schema. Defaults make the input form of an answered schema another: `<id>Input`. */
export function createSchemaBook({ inputs, outputs }: BookOptions) {
  function convert(schema: z.ZodType, io: Io): { root: JsonSchema; named: Record<string, JsonSchema> } {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify })
    const { $schema, $defs: named = {}, ...root } = converted
    return { root, named }
  }

  const received = new Set(outputs.flatMap((schema) => Object.keys(convert(schema, 'output').named)))
  const findName = (id: string, io: Io) => (io === 'input' && received.has(id) ? `${id}Input` : id)

  const refer = (schema: JsonSchema | boolean, io: Io): JsonSchema =>
    JSON.parse(JSON.stringify(schema), (key, value) =>
      key === '$ref' && typeof value === 'string' ? `#/components/schemas/${findName(idIn(value), io)}` : value,
    )

  function fields(schema: z.ZodType) {
    const { root, named } = convert(schema, 'input')
    const { properties = {}, required = [] } = root.$ref === undefined ? root : (named[idIn(root.$ref)] ?? {})
    return Object.entries(properties).map(([name, field]) => {
      return { name, required: required.includes(name), schema: refer(field, 'input') }
    })
  }

  const findComponents = (schema: z.ZodType, io: Io) =>
    Object.entries(convert(schema, io).named).map(([id, body]) => [findName(id, io), refer(body, io)] as const)
  const components = [
    ...inputs.flatMap((schema) => findComponents(schema, 'input')),
    ...outputs.flatMap((schema) => findComponents(schema, 'output')),
  ]

  return {
    input: (schema: z.ZodType) => refer(convert(schema, 'input').root, 'input'),
    fields,
    output: (schema: z.ZodType) => refer(convert(schema, 'output').root, 'output'),
    components: Object.fromEntries<JsonSchema>(components.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
