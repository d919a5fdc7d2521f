import type { DocumentModel } from './document.ts'

/** The technical section in one line, in the first language of the document: readers skip it as a whole. */
export const technicalText = ({ sections }: DocumentModel): string | undefined => {
  const section = sections.find(({ role }) => role === 'technical')
  const fields = section?.blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : [])) ?? []
  if (fields.length === 0) return undefined
  const values = fields.map(({ label: [name = ''], value }) => `${name}: ${value}`)
  return `${section?.title?.[0] ?? ''} – ${values.join(' · ')}`
}
