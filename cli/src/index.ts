import type { Environment } from './frame/command.ts'
import { type Commands, dispatch, plain } from './frame/dispatch.ts'
import { programName } from './frame/program-name.ts'

const commands: Commands = {
  serve: {
    about: 'start the server',
    load: async () => {
      const { serve } = await import('@millseal/server')
      return plain((given, environment) => serve(given, environment, `${programName()} serve`))
    },
  },
  demo: {
    about: 'register, notarize and verify on a running server, as an example',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  verify: {
    about: 'verify a certificate (JSON or PDF), online or offline',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  'verify-page': {
    about: 'print the page that verifies certificates offline, as one HTML file',
    load: async () => (await import('./commands/verify-page.ts')).verifyPage,
  },
  token: {
    about: 'print an access token of an application',
    load: async () => (await import('./commands/token.ts')).token,
  },
  validate: {
    about: 'check a certificate by its schema and against itself',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  check: {
    about: 'check certificates against a requirement',
    load: async () => (await import('./commands/check.ts')).check,
  },
  notarize: {
    about: 'notarize a certificate',
    load: async () => (await import('./commands/notarize.ts')).notarize,
  },
  withdraw: {
    about: 'withdraw a certificate',
    load: async () => (await import('./commands/withdraw.ts')).withdraw,
  },
  replace: {
    about: 'replace a certificate by another one',
    load: async () => (await import('./commands/replace.ts')).replace,
  },
  revoke: {
    about: 'revoke the key of an identity',
    load: async () => (await import('./commands/revoke.ts')).revoke,
  },
  'recovery-key': {
    about: 'create recovery keys, and revoke identities with them',
    verbs: {
      create: {
        about: 'write a new recovery key to a file',
        load: async () => (await import('./commands/recovery-key-create.ts')).recoveryKeyCreate,
      },
      sign: {
        about: 'sign the revocation of a key, offline',
        load: async () => (await import('./commands/recovery-key-sign.ts')).recoveryKeySign,
      },
      send: {
        about: 'record a signed revocation',
        load: async () => (await import('./commands/recovery-key-send.ts')).recoveryKeySend,
      },
    },
  },
  listen: {
    about: 'print the events of a company as they arrive',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  inbox: {
    about: 'file certificates that came with a delivery',
    verbs: {
      add: {
        about: 'file certificates, and say which meet the order',
        load: async () => (await import('./commands/inbox-add.ts')).inboxAdd,
      },
    },
  },
  orders: {
    about: 'keep the order lines of a company',
    verbs: {
      add: {
        about: 'keep the order lines of a CSV file',
        load: async () => (await import('./commands/orders-add.ts')).ordersAdd,
      },
    },
  },
  list: {
    about: 'list certificates, events, webhooks and everything else',
    load: async () => (await import('./commands/list.ts')).list,
  },
  get: {
    about: 'print one of them',
    load: async () => (await import('./commands/get.ts')).get,
  },
  api: {
    about: 'call the API, for everything without a command',
    load: async () => (await import('./commands/api.ts')).api,
  },
  hooks: {
    about: 'try webhooks',
    verbs: {
      test: {
        about: 'send a test event to a webhook, and say what its receiver answered',
        load: async () => (await import('./commands/hooks-test.ts')).hooksTest,
      },
    },
  },
  open: {
    about: 'open the console, or a certificate in it',
    load: async () => (await import('./commands/open.ts')).open,
  },
  schemas: {
    about: 'import, list and remove certificate schemas',
    verbs: {
      add: {
        about: 'import schemas and labels from a folder, zip or tar',
        load: async () => (await import('./commands/schemas-add.ts')).schemasAdd,
      },
      list: {
        about: 'list imported schemas',
        load: async () => (await import('./commands/schemas-list.ts')).schemasList,
      },
      remove: {
        about: 'remove imported schemas',
        load: async () => (await import('./commands/schemas-remove.ts')).schemasRemove,
      },
    },
  },
  completion: {
    about: 'print the completion for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion(commands),
  },
  doctor: {
    about: 'check everything a server needs',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  operator: {
    about: 'manage the operators, who review companies',
    verbs: {
      create: {
        about: 'create an operator, or promote a user',
        load: async () => (await import('./commands/operator-create.ts')).operatorCreate,
      },
    },
  },
  keys: {
    about: 'rotate the keys that sign tokens and encrypt secrets',
    verbs: {
      'rotate-signing': {
        about: 'rotate the key that signs access tokens',
        load: async () => (await import('./commands/keys-rotate-signing.ts')).keysRotateSigning,
      },
      'rotate-master': {
        about: 're-encrypt all secrets with a new master key',
        load: async () => (await import('./commands/keys-rotate-master.ts')).keysRotateMaster,
      },
    },
  },
  backup: {
    about: 'save everything to a folder, with or without a running server',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    about: 'restore a backup into an empty installation and verify it',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  wal: {
    about: 'save and restore the embedded database to the second',
    verbs: {
      'save-base': {
        about: 'save the database to the archive of its write-ahead log',
        load: async () => (await import('./commands/wal-save-base.ts')).walSaveBase,
      },
      restore: {
        about: 'restore the database to a second',
        load: async () => (await import('./commands/wal-restore.ts')).walRestore,
      },
    },
  },
  audit: {
    about: 'archive the audit log, and verify archives',
    verbs: {
      archive: {
        about: 'move the oldest entries of the audit log to a file',
        load: async () => (await import('./commands/audit-archive.ts')).auditArchive,
      },
      verify: {
        about: 'verify such a file, offline',
        load: async () => (await import('./commands/audit-verify.ts')).auditVerify,
      },
    },
  },
  files: {
    about: 'move the files of the logs',
    verbs: {
      move: {
        about: 'move the files of the logs between the data folder and the database',
        load: async () => (await import('./commands/files-move.ts')).filesMove,
      },
    },
  },
  log: {
    about: 'verify and watch the transparency logs, and print proofs',
    verbs: {
      verify: {
        about: 'verify every entry of a log',
        load: async () => (await import('./commands/log-verify.ts')).logVerify,
      },
      prove: {
        about: 'print the proof that a certificate or transaction is in a log',
        load: async () => (await import('./commands/log-prove.ts')).logProve,
      },
      'accept-time': {
        about: 'confirm the clock, so that a log records again after it jumped',
        load: async () => (await import('./commands/log-accept-time.ts')).logAcceptTime,
      },
      'continue-as-new': {
        about: 'let a log go on under a new name after an older backup was restored',
        load: async () => (await import('./commands/log-continue-as-new.ts')).logContinueAsNew,
      },
      watch: {
        about: 'watch a log over HTTP and prove that it only grows',
        load: async () => (await import('./commands/log-watch.ts')).logWatch,
      },
    },
  },
  node: {
    about: 'copy, check, serve and cosign logs of other organisations',
    load: async () => (await import('./commands/node.ts')).node,
  },
}

export const millseal = (given: readonly string[], environment: Environment): Promise<number> =>
  dispatch(commands, given, environment)
