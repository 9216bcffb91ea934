import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const REPOSITORY = join(import.meta.dirname, '../..')

export interface Instruction {
  keyword: string
  text: string
}

export interface Stage {
  /** Its name, or its place where it has none. */
  name: string
  base: string
  instructions: Instruction[]
}

export async function readDockerfile(): Promise<Stage[]> {
  const file = await readFile(join(REPOSITORY, 'Dockerfile'), 'utf8')
  const lines = file
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')

  const stages: Stage[] = []
  for (const line of lines) {
    const [, keyword = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    const from = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text)
    if (keyword === 'FROM' && from !== null) {
      const [, base = '', name = String(stages.length)] = from
      stages.push({ name, base, instructions: [] })
    } else stages.at(-1)?.instructions.push({ keyword, text })
  }
  return stages
}

/** The image that a stage stands on in the end, whatever stages lie between. */
export function findRootImage(stages: Stage[], name: string): string {
  const stage = stages.find((candidate) => candidate.name === name)
  return stage === undefined ? name : findRootImage(stages, stage.base)
}

export const readPairs = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain]) => [
    name,
    quoted ?? plain ?? '',
  ])

/** The program and its arguments of an instruction in exec form. */
export function readExecForm(text: string): string[] {
  const form: unknown = JSON.parse(text.slice(text.indexOf('[')))
  if (!Array.isArray(form)) throw new Error(`This is no exec form: ${text}`)
  return form.map(String)
}
