interface Query {
  fields: readonly string[]
  where: { field: string; in: readonly number[] }
  limit: number
  offset?: number
}

/** A query of IGDB's language, in order of id so that pages do not overlap. */
export function buildQuery({ fields, where, limit, offset = 0 }: Query): string {
  const clauses = [
    `fields ${fields.join(',')}`,
    `where ${where.field} = (${where.in.join(',')})`,
    'sort id asc',
    `limit ${limit}`,
    ...(offset > 0 ? [`offset ${offset}`] : []),
  ]
  return clauses.map((clause) => `${clause};`).join(' ')
}
