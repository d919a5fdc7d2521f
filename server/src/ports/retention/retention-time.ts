/**
 * How far the erasing of old data has come. A clock that is set ahead by mistake would erase everything at once, so each
 * hourly run of a kind comes at most two hours further than the one before. After a day of such runs it catches up at once.
 */
export interface RetentionTime {
  /** The time to erase by in this run; never later than the clock. */
  advance(kind: string): Promise<Date>
}
