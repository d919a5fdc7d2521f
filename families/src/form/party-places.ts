import { partiesOf } from '../certificate/parties.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { recogniseFamily } from '../families/index.ts'
import type { CertificateParty } from '../family.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { type MarkedCertificate, marksIn } from './mark-schema.ts'

/**
 * The pointers of the companies that receive a certificate, as its family finds them. The elements of a list are among
 * them, because each says its own role.
 */
export const partyPlaces = ({ json, leaves }: MarkedCertificate, { id }: SchemaEntry): readonly string[] => {
  const marked = readCertificate(Buffer.from(JSON.stringify({ ...json, RefSchemaUrl: id })))
  const placeOf = ({ name = '' }: CertificateParty) => leaves[marksIn(name)[0] ?? -1]?.replace(/\/[^/]*$/, '')
  const receivers = new Set(partiesOf(marked).receivers.map(placeOf))
  const places = (recogniseFamily(marked.json)?.parties(marked.json) ?? []).flatMap(
    (party) => placeOf(party) ?? [],
  )
  return [...new Set(places)].filter((place) => receivers.has(place) || place.endsWith('/*'))
}
