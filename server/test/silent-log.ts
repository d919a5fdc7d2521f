import type { DatabaseLog } from '../src/adapters/database/postgres.ts'

const ignore = (): void => {}

export const silentLog: DatabaseLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }
