import { type DestinationStream, type Logger, type LevelWithSilent, pino } from 'pino'
import { loggableError } from './loggable-error.ts'

/** Writes one line of JSON per entry, so line breaks and control characters in values are escaped. */
export const createLog = (level: LevelWithSilent, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggableError },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
