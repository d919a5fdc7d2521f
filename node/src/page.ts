import type { HeldLog, LogNode } from './node.ts'

/** For people: what this node holds, and its keys to copy. */
export const nodePage = (
  { name, keys, logs }: LogNode,
  { version, base }: { readonly version: string; readonly base: string },
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<style>
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1a2233; background: #fff }
  h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem; overflow-wrap: anywhere }
  code { overflow-wrap: anywhere } dt { font-weight: 600 } dd { margin: 0 0 .5rem }
  .stopped { border-left: .25rem solid #b3261e; padding-left: 1rem }
  @media (prefers-color-scheme: dark) { body { color: #e6e9f0; background: #10151f } a { color: #9ec1ff } }
</style>
<main>
<h1>${escaped(name)}</h1>
<p>This node holds complete copies of the logs below. It checks every entry, and signs only what it has checked.</p>
<dl>
  <dt>Key of the node: every entry and the checkpoint were checked</dt><dd><code>${escaped(keys.node.vkey)}</code></dd>
  <dt>Key of the witness: the log only grew since it was seen last</dt><dd><code>${escaped(keys.witness.vkey)}</code></dd>
</dl>
${logs.map((log) => logSection(log, base)).join('\n')}
<p>Millseal ${escaped(version)}</p>
</main>
</html>
`

const logSection = ({ key, id, url, state }: HeldLog, base: string): string => {
  const here = `${base}/${id}`
  const { stopped, problem, published } = state
  const facts: readonly (readonly [string, string])[] = [
    ['State', stateOf(state)],
    ...(stopped === undefined
      ? []
      : [['Evidence', `<a href="${here}/evidence/1">two checkpoints, or an entry</a>`] as const]),
    ...(problem === undefined ? [] : [['Last problem', escaped(problem)] as const]),
    ['Entries', String(published?.size ?? 0)],
    ['Time of the log', escaped(published?.time ?? '–')],
    ['Copy', `<a href="${here}/checkpoint">${here}/</a>`],
    ['Proof of a certificate', `<code>${here}/proof/&lt;SHA-256 of the JSON or PDF&gt;</code>`],
    ['From', escaped(url)],
  ]
  const rows = facts.map(([name, value]) => `  <dt>${name}</dt><dd>${value}</dd>`)
  return `<section${stopped === undefined ? '' : ' class="stopped"'}>
<h2>${escaped(key.name)}</h2>
<dl>
${rows.join('\n')}
</dl>
</section>`
}

const stateOf = ({ stopped, problem, published }: HeldLog['state']): string => {
  if (stopped !== undefined) return `<strong>Stopped for ever:</strong> ${escaped(stopped)}`
  if (published === undefined) return 'Nothing copied yet'
  return problem === undefined ? 'Copied and checked' : 'Copied and checked, but not the newest'
}

const escaped = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
