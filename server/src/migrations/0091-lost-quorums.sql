create table lost_quorums (
  mode text primary key,
  lost_at timestamptz not null,
  reported_at timestamptz
);
comment on table lost_quorums is 'Logs whose checkpoints no quorum of cosigners confirms at present: an operator gets one mail when this lasts, and one when it is over';

create table log_holders (
  mode text not null,
  name text not null,
  since timestamptz not null,
  size bigint not null,
  signed_at timestamptz not null,
  primary key (mode, name)
);
comment on table log_holders is 'By the name of its key: since when a cosigner has signed checkpoints of a log, and the newest one that it has signed';
