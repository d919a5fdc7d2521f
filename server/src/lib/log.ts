import { type DestinationStream, type Logger, type LevelWithSilent, pino } from 'pino'
import { loggableError } from './loggable-error.ts'

/** One JSON line for each entry; newlines and control characters of strangers stay escaped inside it. */
export const createLog = (level: LevelWithSilent, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggableError },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
