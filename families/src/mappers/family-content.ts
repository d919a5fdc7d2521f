import type { DocumentModel } from '../model/document.ts'

/** What a mapper makes of a certificate; the rest of the document is the same for all families. */
export type FamilyContent = {
  readonly title: DocumentModel['title']
  readonly standard?: string | undefined
  readonly number?: string | undefined
  readonly date?: string | undefined
  readonly logo?: DocumentModel['logo'] | undefined
  readonly parties: DocumentModel['parties']
  readonly sections: DocumentModel['sections']
  readonly files: DocumentModel['files']
}
