import type { Reason } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import type { JsonObject } from './certificate/read-certificate.ts'
import type { Fact } from './facts/fact.ts'
import type { Labels } from './labels/labels.ts'
import type { Mapping } from './mapping/mapping.ts'
import type { DocumentModel } from './model/document.ts'

/** A kind of certificate: a folder in `families/` and a line in its `index.ts`. `families/README.md` has the recipe. */
export type Family = {
  /** `en10168`: names the folder, its schemas (`en10168-schemas`) and the family of a document. */
  readonly name: string
  /** Its types of schemas, with what people call them. The first one names the family. */
  readonly types: readonly [SchemaType, ...SchemaType[]]
  /** JSON Schemas, one per version; `$id` gives the type and the version. */
  readonly schemas: readonly [unknown, ...unknown[]]
  /** Also used for imported schemas of this family, where the labels of the pack have none. */
  readonly labels: Labels
  /** Recognises a certificate by its content, so that imported versions are recognised too. */
  readonly recognise: (json: JsonObject) => boolean
  /** The codes of the languages that the certificate asks for: `EN`. */
  readonly languages: (json: JsonObject) => readonly string[]
  readonly summarize: (json: JsonObject) => SummaryDraft
  /** How much was delivered or ordered, with its unit. Numbers are texts, as they were submitted. */
  readonly quantity: (json: JsonValue) => string | undefined
  /** All parties that the certificate names; `partiesOf` sorts them into senders and receivers. */
  readonly parties: (json: JsonObject) => readonly CertificateParty[]
  readonly questions: readonly Question[]
  /** What it states, in the order of the file. Numbers are texts, as they were submitted. */
  readonly facts: (json: JsonValue) => readonly Fact[]
  /** The picture of its issuer, as the certificate has it. */
  readonly logo: (json: JsonValue) => string | undefined
  readonly map: (mapping: Mapping) => FamilyContent
  /**
   * Names of members whose values tell programs how to read the others, or repeat in their words what the document says
   * in plain ones. They are in the last line of the document.
   */
  readonly forPrograms: readonly string[]
  readonly layout: Layout
  /** The names of the sections that a look may move, in their usual order. Their titles are labels. */
  readonly sections: readonly string[]
  /** Invented certificates that are valid under the schemas. */
  readonly samples: readonly [unknown, ...unknown[]]
  /** An invented certificate to show verification with; a changed one differs in one value that buyers look at. */
  readonly demo?: (wanted: {
    readonly seller: string
    readonly number: string
    readonly date: string
    readonly isChanged: boolean
  }) => unknown
}

/** A text in the languages of the console. */
export type Words = { readonly en: string; readonly de: string }

export type SchemaType = {
  /** `forestry-source-schemas` */
  readonly type: string
  readonly title: Words
  /** What such certificates are for. */
  readonly description: Words
}

/** The short description of a certificate: CertificateSummaryDto. */
export type CertificateSummary = {
  readonly identifier?: string
  readonly sellerName?: string
  readonly buyerName?: string
  readonly productDescription?: string
  readonly orderNumber?: string
  readonly orderPosition?: string
  readonly deliveryNumber?: string
  readonly deliveryPosition?: string
  /** The first heats or batches that it names. */
  readonly heats?: string[]
}

/** The heats are found in the same way for all families. */
export type SummaryDraft = OrUndefined<Omit<CertificateSummary, 'heats'>>

export type CertificateParty = {
  /** The name of the field in the certificate: A06.3, GoodsReceiver. */
  readonly field: string
  /** Seller, Buyer, CertificateConsignee, … */
  readonly role: string
  readonly name?: string
  readonly emails: readonly string[]
  readonly vatId?: string
  readonly dunsId?: string
}

/** Something a quality manager expects to find in a certificate. The reason follows the pointer in a sentence. */
export type Question = {
  readonly pointer: string
  readonly reason: Reason
  readonly isAnswered: (json: JsonObject) => boolean
}

/** What a mapper makes of a certificate; the rest of the document is the same for all families. */
export type FamilyContent = Pick<DocumentModel, 'title' | 'parties' | 'sections' | 'files'> &
  OrUndefined<Pick<DocumentModel, 'standard' | 'number' | 'date' | 'logo'>>

/** How the PDF of a family differs from the others. */
export type Layout = {
  /** `#rrggbb`: the colour of codes, subtitles and the rule beside the declaration. */
  readonly accent: string
}

/** Of all families and the generic fallback, by name. */
export type Layouts = Readonly<Record<string, Layout>>

/** The name of the fallback for schemas that belong to no family. */
export const genericName = 'generic'

type OrUndefined<T> = { readonly [Name in keyof T]?: T[Name] | undefined }
