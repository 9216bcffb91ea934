import { pino } from 'pino'
import { createLogOutput } from './log-output.ts'

export type Logger = pino.Logger

/** JSON lines on standard output; secrets and cookies never, should an object with them be logged. */
export const createLogger = (level: string, destination: pino.DestinationStream = createLogOutput(1)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.cookie', '*.authorization', '*.password', '*.passwordHash', 'headers'],
    },
    destination,
  )
