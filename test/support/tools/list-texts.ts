import type { z } from 'zod'
import type { LoadedFunction } from '#lib/web/http/load-functions'
import { namespaces } from '../../../realtime/namespaces.ts'

export interface TextField {
  /** `payload.genres.0` */
  path: string
  schema: z.ZodType
  /** Makes a value of the whole schema with a text at this field; of the other fields it has only the literals. */
  fill(text: string): unknown
}

type Fill = (value: unknown) => unknown

/** The definition of a schema, by its `type`. */
// Every class of zod is one of this union, which its own declarations use for the same purpose.
const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def

function literalsOf(shape: z.core.$ZodShape): Record<string, unknown> {
  const literals = Object.entries(shape).flatMap(([key, field]) => {
    const def = defOf(field)
    return def.type === 'literal' ? [[key, def.values[0]]] : []
  })
  return Object.fromEntries(literals)
}

/** Every text that a schema takes, however deep. @throws on a schema of a type that it does not know */
export function listTexts(
  schema: z.core.$ZodType,
  path: readonly string[] = [],
  fill: Fill = (value) => value,
): TextField[] {
  const def = defOf(schema)
  const below = (inner: z.core.$ZodType) => listTexts(inner, path, fill)
  switch (def.type) {
    case 'string':
      // A `$ZodType` as this project makes them has the methods of the classic ones.
      return [{ path: path.join('.'), schema: schema as z.ZodType, fill }]
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) =>
        listTexts(field, [...path, key], (value) => fill({ ...literalsOf(def.shape), [key]: value })),
      )
    case 'array':
      return listTexts(def.element, [...path, '0'], (value) => fill([value]))
    case 'union':
      return def.options.flatMap(below)
    case 'pipe':
      return below(def.in)
    case 'optional':
    case 'nullable':
    case 'default':
      return below(def.innerType)
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'unknown':
      return []
    default:
      throw new Error(`${def.type} at ${path.join('.')}: no rule says whether it takes texts`)
  }
}

/** Every text that endpoints and namespaces take, with the name of its schema. */
export function listFields(functions: readonly LoadedFunction[]) {
  const schemas = [
    ...functions.flatMap(({ file, definition: { params, query, body } }) =>
      Object.entries({ params, query, body }).flatMap(([part, schema]) =>
        schema === undefined ? [] : { name: `${part} of functions/${file}`, schema },
      ),
    ),
    ...namespaces.flatMap(({ facts }) =>
      Object.entries(facts.requests).map(([event, { payload }]) => ({ name: `payload of ${event}`, schema: payload })),
    ),
  ]
  return schemas.flatMap(({ name, schema }) => listTexts(schema).map((field) => ({ name, whole: schema, ...field })))
}
