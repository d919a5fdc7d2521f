import type { Entries } from './entries.ts'

/** Why an archive with schemas, or a file in it, cannot be imported. */
export const packs = {
  pack_without_schema: { en: 'it contains no schema.json', de: 'Es enthält keine schema.json' },
  pack_has_too_many_schemas: {
    en: 'it contains more than {most} schemas',
    de: 'Es enthält mehr als {most} Schemas',
  },
  pack_has_too_many_files: {
    en: 'it contains more than {most} files',
    de: 'Es enthält mehr als {most} Dateien',
  },
  pack_not_archive: {
    en: 'it is neither a zip nor a gzipped tar archive',
    de: 'Es ist weder ein ZIP- noch ein mit gzip gepacktes tar-Archiv',
  },
  pack_too_large: {
    en: 'it is too large: {bytes} bytes (maximum {most})',
    de: 'Es ist zu groß: {bytes} von höchstens {most} Bytes',
  },
  pack_ends_early: { en: 'the archive ends too early', de: 'Das Archiv endet zu früh' },
  pack_unpacks_to_too_much: {
    en: 'it has more than {most} bytes when it is unpacked',
    de: 'Es hat entpackt mehr als {most} Bytes',
  },
  pack_has_file_twice: { en: '{path} is contained twice', de: '{path} kommt zweimal vor' },
  pack_has_too_much_json: {
    en: 'its JSON files have more than {most} bytes',
    de: 'Die JSON-Dateien haben zusammen mehr als {most} Bytes',
  },
  pack_has_path_outside: {
    en: '{path} is not a path within it',
    de: '{path} ist kein Pfad innerhalb des Archivs',
  },
  pack_not_zip: { en: 'it is not a zip archive: {fault}', de: 'Es ist kein ZIP-Archiv: {fault}' },
  pack_not_tar: {
    en: 'it is not a gzipped tar archive: {fault}',
    de: 'Es ist kein mit gzip gepacktes tar-Archiv: {fault}',
  },
  archive_damaged: { en: 'it is damaged', de: 'Es ist beschädigt' },
  zip_directory_not_last: {
    en: 'its directory is not at its end',
    de: 'Sein Inhaltsverzeichnis steht nicht am Ende',
  },
  zip_without_directory: { en: 'it has no directory', de: 'Es hat kein Inhaltsverzeichnis' },
  zip_directory_incomplete: {
    en: 'its directory is incomplete',
    de: 'Sein Inhaltsverzeichnis ist unvollständig',
  },
  zip_files_overlap: { en: 'its files overlap', de: 'Seine Dateien überschneiden sich' },
  zip_file_missing: { en: 'a file is missing', de: 'Eine Datei fehlt' },
  zip_file_has_two_names: { en: 'a file has two names', de: 'Eine Datei hat zwei Namen' },
  tar_checksum_wrong: {
    en: 'a header has a wrong checksum',
    de: 'Die Prüfziffer eines Dateikopfs stimmt nicht',
  },
  tar_number_wrong: { en: 'a header has a wrong number', de: 'Ein Dateikopf enthält eine ungültige Zahl' },
  tar_name_too_long: { en: 'a name is too long', de: 'Ein Name ist zu lang' },
  tar_has_two_sizes: { en: 'a header has two sizes', de: 'Ein Dateikopf nennt zwei Größen' },
  pack_not_readable: {
    en: '{path} is not a readable folder or archive',
    de: '{path} ist kein lesbarer Ordner und kein Archiv',
  },

  file_refused: { en: '{file}: {flaw}', de: '{file}: {flaw}' },
  file_unusable: { en: '{file} {flaw}', de: '{file} {flaw}' },
  and_more: { en: 'and {count} more', de: 'und {count} weitere Gründe' },
  is_other_schema: {
    en: 'is a different schema with the name of {path}',
    de: 'ist ein anderes Schema mit dem Namen von {path}',
  },
  file_not_regular: {
    en: 'must be a regular file of at most {most} bytes',
    de: 'muss eine gewöhnliche Datei mit höchstens {most} Bytes sein',
  },
  file_damaged: {
    en: 'is damaged, encrypted, or compressed in an unusual way',
    de: 'ist beschädigt, verschlüsselt oder ungewöhnlich gepackt',
  },
  file_not_object: { en: 'must be a JSON object', de: 'muss ein JSON-Objekt sein' },
  file_not_json: { en: 'must be JSON in UTF-8', de: 'muss JSON in UTF-8 sein' },
  file_too_deep: {
    en: 'is nested more than {most} levels deep',
    de: 'ist mehr als {most} Ebenen tief verschachtelt',
  },
  file_unreadable: { en: '{why}', de: 'ist nicht lesbar ({why})' },
  file_has_forbidden_key: {
    en: 'must not contain the key "__proto__"',
    de: 'darf den Namen "__proto__" nicht enthalten',
  },

  schema_not_compiled: { en: 'does not compile: {why}', de: 'lässt sich nicht kompilieren: {why}' },
  schema_refers_to_too_many: {
    en: 'refers to more than {most} documents',
    de: 'verweist auf mehr als {most} Dokumente',
  },
  schema_refers_to_other_draft: {
    en: 'refers to {path}, which has another $schema',
    de: 'verweist auf {path}, das ein anderes $schema hat',
  },
  schema_refers_outside_import: {
    en: 'refers to {reference}, which the import does not contain',
    de: 'verweist auf {reference}, das in diesem Import fehlt',
  },
  schema_id_reserved: {
    en: '$id begins with an address that is reserved for the schemas of Millseal',
    de: '$id beginnt mit einer Adresse, die den Schemas von Millseal vorbehalten ist',
  },
  schema_id_malformed: {
    en: '$id must end with /<type>-schemas/v<version>/schema.json',
    de: '$id muss mit /<Art>-schemas/v<Version>/schema.json enden',
  },
  schema_id_contradicts_folder: {
    en: '$id says {type} {version}, the folder says {family} {folderVersion}',
    de: '$id nennt {type} {version}, der Ordner {family} {folderVersion}',
  },
  schema_has_too_many_schemas: {
    en: 'The schema contains more than {most} schemas',
    de: 'Das Schema enthält mehr als {most} Schemas',
  },
  schema_draft_unknown: {
    en: '$schema must be draft-07, 2019-09 or 2020-12',
    de: '$schema muss der Entwurf draft-07, 2019-09 oder 2020-12 sein',
  },
  schema_uses_keyword: { en: 'uses {keyword}', de: 'verwendet {keyword}' },
  schema_reads_data: {
    en: 'reads {keyword} from the certificate ($data)',
    de: 'liest {keyword} aus dem Zeugnis ($data)',
  },
  schema_has_inner_id: { en: 'must not have an $id', de: 'darf kein $id haben' },
  schema_refers_outside_itself: {
    en: 'refers to {reference}, which is not part of this schema',
    de: 'verweist auf {reference}, das kein Teil dieses Schemas ist',
  },
  schema_lists_too_many: {
    en: 'lists more than {most} values',
    de: 'zählt mehr als {most} Werte auf',
  },
  schema_pattern_unusable: {
    en: 'has a pattern that cannot be used: {why}',
    de: 'hat ein Muster, das sich nicht verwenden lässt: {why}',
  },
  schema_refers_to_itself: {
    en: 'refers to itself without descending into the certificate',
    de: 'verweist auf sich selbst, ohne tiefer in das Zeugnis zu führen',
  },
} as const satisfies Entries
