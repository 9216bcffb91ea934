import { createLogger, type Logger } from '#lib/infrastructure/observability/log'

export function captureLog(level = 'info'): { log: Logger; lines: Record<string, unknown>[]; text(): string } {
  const lines: Record<string, unknown>[] = []
  const log = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) })

  return { log, lines, text: () => JSON.stringify(lines) }
}
