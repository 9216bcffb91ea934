import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('../../../../dist/lib/infrastructure/observability/log.js', import.meta.url))

/** Runs code in a process whose `log` writes to its standard output, which is a pipe. */
function start(code: string) {
  const source = `const { createLogger } = await import(${JSON.stringify(module)}); const log = createLogger('info'); ${code}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

const messages = (written: string) => written.split('\n').flatMap((line) => (line ? [JSON.parse(line).msg] : []))

test('the end of the process writes every line, in order, however many', async () => {
  const child = start('for (let at = 0; at < 5_000; at++) log.info(String(at)); process.exit(0)')

  expect(messages(await text(child.stdout))).toEqual(Array.from({ length: 5_000 }, (_, at) => String(at)))
})

test('a line arrives by itself while the process goes on', async () => {
  const child = start("setInterval(() => {}, 1_000_000); log.info('one')")
  const [line] = await once(createInterface(child.stdout), 'line')

  child.kill('SIGKILL')
  expect(messages(line)).toEqual(['one'])
})

test('lines are written together, and a warning writes the lines before it at once', async () => {
  const child = start("log.info('one'); log.warn('two'); log.info('three'); for (;;);")
  const [written] = await once(child.stdout.setEncoding('utf8'), 'data')

  child.kill('SIGKILL')
  expect(messages(written)).toEqual(['one', 'two'])
})
