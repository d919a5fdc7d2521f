/** Earlier migrations were written before this rule. */
const firstChecked = 68

/** What the processes of the release before cannot go on with while they run beside the new ones. */
const refusals: readonly (readonly [pattern: RegExp, does: string])[] = [
  [/^drop (table|view|materialized view|function|type|domain|sequence|schema)\b/, 'drops what'],
  [/^alter .*\brename\b/, 'renames what'],
  [/^alter table .*\bdrop (?!constraint\b|not null\b|expression\b|identity\b)/, 'drops what'],
  [/^alter table .*\balter\b.*\bset not null\b/, 'requires a value that'],
  [/^alter table .*\balter (column )?\S+ (set data )?type\b/, 'changes the type of what'],
  [/^alter table .*\badd (constraint|check|unique|primary key|foreign key|exclude)\b/, 'restricts what'],
  [/^alter domain\b/, 'restricts what'],
  [/^create unique index\b/, 'restricts what'],
]

const addedColumns = /\badd (?:column )?(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)[^,]*/g
const excuse = /^-- Unused since release \d+\.\d+\.\d+/m

/**
 * A sentence for each statement after which a process of the release before could fail. What nothing has used since an earlier
 * release may be removed: a comment before it names that release. A flag that the migration adds is false in all its rows.
 */
export const findBreakingStatements = (path: string, text: string): string[] => {
  if (Number(/\/(\d{4})-[^/]*\.sql$/.exec(path)?.[1] ?? 0) < firstChecked) return []
  const statements = text.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, '$$').split(';')
  const created = new Set(statements.map((one) => createdTable(plain(one))))
  const flag = /\badd column (\w+) boolean not null default false/.exec(plain(text))?.[1] ?? '$^'
  const byFlag = new RegExp(`^create unique index .* and (not )?${flag}$`)
  return statements
    .filter((one) => !excuse.test(one) && !created.has(tableOf(plain(one)) ?? 'none'))
    .filter((one) => !byFlag.test(plain(one)))
    .flatMap((one) => {
      const does = breaking(plain(one))
      const says = `${path} ${does} the release before may use, which runs beside this one: ${plain(one)}`
      return does === undefined ? [] : [says]
    })
}

const breaking = (statement: string): string | undefined => {
  const found = refusals.find(([pattern]) => pattern.test(statement))?.[1]
  if (found !== undefined || !statement.startsWith('alter table ')) return found
  const required = (statement.match(addedColumns) ?? []).find(
    (column) => /\bnot null\b|\bprimary key\b/.test(column) && !/\bdefault\b|\bgenerated\b/.test(column),
  )
  return required === undefined ? undefined : 'requires a value that'
}

/** In one line and lower case, without comments, texts and what is in brackets. */
const plain = (statement: string): string =>
  statement
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\([^()]*\)/g, '()')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const createdTable = (one: string) => /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(one)?.[1]

const tableOf = (statement: string): string | undefined =>
  (/^alter table (?:if exists )?(?:only )?(\S+)/.exec(statement) ??
    /^create unique index .*?\bon (?:only )?([^\s(]+)/.exec(statement))?.[1]
