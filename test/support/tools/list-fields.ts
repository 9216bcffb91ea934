import type { LoadedFunction } from '#lib/web/http/load-functions'
import { namespaces } from '../../../realtime/namespaces.ts'
import { listTexts } from './list-texts.ts'

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
