/** For `$call`: narrows a statement if the caller gave a value, and leaves it as it is otherwise. */
export const whenGiven =
  <Statement, Value>(value: Value | undefined, narrow: (statement: Statement, value: Value) => Statement) =>
  (statement: Statement): Statement =>
    value === undefined ? statement : narrow(statement, value)
