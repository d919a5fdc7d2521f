-- What a username looks like: two names with the same skeleton are hard to tell apart. docs/names.md says what is covered.
-- The decomposed form without accents, look-alikes of Latin letters and digits as these, in lower case. It depends on no locale.
create function name_skeleton(name text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(lower(translate(
    regexp_replace(normalize(name, nfkd), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]', '', 'g'),
    -- Latin and digits
    '01|IıɩøØłŁđĐħĦŧŦƒɑɡ'
    -- Cyrillic, small and capital
    || 'авеікмнорстухѕјһԁԛԝӏгпьѵүғ' || 'АВЕІКМНОРСТУХЅЈҺԀԚԜӀЬѴҮҒ'
    -- Greek, small and capital
    || 'αβγεηικνορςσυτχω' || 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
    -- Armenian
    || 'օսոհցզյլգք',
    'ollliiooLLdDhHtTfag'
    || 'abeikmhopctyxsjhdqwlrnbvyf' || 'ABElKMHOPCTYXSJHDQWlbVYF'
    || 'abyenikvopcoutxw' || 'ABEZHlKMNOPTYX'
    || 'ounhgqjlqp')
    collate "C"), 'rn', 'm'), 'vv', 'w')
$$;

alter table users add column username_skeleton text;
comment on column users.username_skeleton is 'What the username looks like; null if it looked like an older one when this column was added';
-- Of existing names that look alike, the oldest one gets the skeleton: nobody can take another one like it.
with named as (
  select id, name_skeleton(username) as skeleton,
    row_number() over (partition by name_skeleton(username) order by created_at, id) as nth
  from users)
update users u set username_skeleton = skeleton from named where named.id = u.id and nth = 1;
create unique index users_username_skeleton on users (username_skeleton);

create function set_username_skeleton() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.username is distinct from old.username then
    new.username_skeleton := name_skeleton(new.username);
  end if;
  return new;
end
$$;
create trigger users_username_skeleton before insert or update of username on users
  for each row execute function set_username_skeleton();
