-- A used code is refused, but its repetition is no guess: it does not count toward the lock.

create table used_recovery_codes (
  user_id uuid not null references recovery_code_sets on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);
comment on table used_recovery_codes is 'Those of the present set that their owner used';
