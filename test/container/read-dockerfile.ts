import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const REPOSITORY = join(import.meta.dirname, '../..')

export interface Instruction {
  keyword: string
  text: string
}

export interface Stage {
  /** The name, or the number of a stage without a name. */
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
  /** The defaults of the arguments before the first stage. */
  const defaults = new Map<string, string>()
  const fillIn = (text: string) => text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => defaults.get(name) ?? '')
  for (const line of lines) {
    const [, keyword = '', written = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    if (keyword === 'ARG' && stages.length === 0)
      for (const [name, value] of readPairs(written)) defaults.set(name, value)
    const text = keyword === 'FROM' ? fillIn(written) : written
    const from = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text)
    if (keyword === 'FROM' && from !== null) {
      const [, base = '', name = String(stages.length)] = from
      stages.push({ name, base, instructions: [] })
    } else stages.at(-1)?.instructions.push({ keyword, text })
  }
  return stages
}

/** Finds the image from which a stage and the stages below it are built. */
export function findRootImage(stages: Stage[], name: string): string {
  const stage = stages.find((candidate) => candidate.name === name)
  return stage === undefined ? name : findRootImage(stages, stage.base)
}

export const readPairs = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain]) => [
    name,
    quoted ?? plain ?? '',
  ])

/** Reads the program and the arguments of an instruction in exec form. */
export function readExecForm(text: string): string[] {
  const form: unknown = JSON.parse(text.slice(text.indexOf('[')))
  if (!Array.isArray(form)) throw new Error(`This is no exec form: ${text}`)
  return form.map(String)
}
