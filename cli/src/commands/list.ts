import { limits } from '@millseal/contract'
import { nearest } from '@millseal/contract/nearest'
import { connect } from '@millseal/sdk'
import { callOptions, modeOption, readCallToken } from '../calls/options.ts'
import { ask, findResource, namesOf, type Resource, textOf } from '../calls/resources.ts'
import { command } from '../frame/command.ts'
import { tableOf } from '../frame/table.ts'
import { UsageError } from '../frame/usage-error.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

type Row = Readonly<Record<string, unknown>>

export const list = command({
  args: ['what'],
  several: true,
  options: {
    ...modeOption,
    limit: { value: '<n>', about: 'at most so many; default 20' },
    all: { about: 'everything' },
    ...callOptions,
  },
  description: `Lists certificates, events, webhooks and everything else that the API lists, the newest first, as a table. Into a pipe, it
prints every column between tabs. <what> is one of ${namesOf('list').join(', ')}.
Filters follow as name=value, as the API reference names them.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal list certificates state=failed',
    'millseal list certificates --mode live --all --json | jq -r .[].summary.number',
    'millseal list hooks | cut -f 1',
  ],
  async run({ args: [what = '', ...filters], values, environment }) {
    const resource = findResource('list', what)
    const most = values.all ? Number.POSITIVE_INFINITY : countOf(values.limit ?? '20')
    const query = { ...filtersOf(resource, filters), ...modeOf(resource, values.mode) }
    const client = connect(await readCallToken(values, environment, resource.operation.access))
    const rows: Row[] = []
    let after: string | undefined
    do {
      const limit = Math.min(most - rows.length, limits.page.default)
      const asked = { query: { ...query, limit, after }, company: values.company }
      let link = ''
      const page = await ask<readonly Row[]>(client, resource, {
        ...asked,
        onHeaders: (headers) => (link = headers.get('link') ?? ''),
      })
      rows.push(...page)
      after = nextOf(link)
    } while (after !== undefined && rows.length < most)
    return { result: rows, text: rows.length === 0 ? '' : textOfRows(rows) }
  },
})

const countOf = (text: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError('--limit must be a number from 1')
  return Number(text)
}

const modeOf = ({ operation }: Resource, mode: string | undefined): Readonly<Record<string, string>> => {
  if (operation.mode === 'query') return { mode: mode ?? 'test' }
  if (mode === undefined) return {}
  if (!Object.hasOwn(operation.query?.properties ?? {}, 'mode'))
    throw new UsageError('--mode means nothing here')
  return { mode }
}

const filtersOf = ({ operation }: Resource, given: readonly string[]): Readonly<Record<string, string>> => {
  const known = Object.keys(operation.query?.properties ?? {})
  return Object.fromEntries(
    given.map((filter) => {
      const [name = '', ...value] = filter.split('=')
      if (value.length === 0) throw new UsageError(`${filter} is no filter: write name=value`)
      if (!known.includes(name)) {
        const meant = nearest(name, known)
        const guess =
          meant === undefined ? `filters are ${known.join(', ') || 'none'}` : `did you mean ${meant}?`
        throw new UsageError(`there is no filter ${name}: ${guess}`)
      }
      return [name, value.join('=')]
    }),
  )
}

const nextOf = (link: string): string | undefined => {
  const [, address] = /<([^>]+)>; *rel="next"/.exec(link) ?? []
  return address === undefined
    ? undefined
    : (new URL(address, 'http://localhost').searchParams.get('after') ?? undefined)
}

/** What tells rows apart stands on the left. */
const first = ['id', 'name', 'number', 'summary', 'state', 'status', 'advice', 'kind', 'resource', 'action']

const textOfRows = (rows: readonly Row[]): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = [
    ...first.filter((name) => names.includes(name)),
    ...names.filter((name) => !first.includes(name)),
  ]
  const width = process.stdout.isTTY ? process.stdout.columns : undefined
  return tableOf(
    rows.map((row) => Object.fromEntries(columns.map((name) => [name, textOf(row[name])]))),
    { columns, width },
  )
}
