-- A new password ends the sessions that began before it, whatever the clock did in between: the order of sessions and of
-- what ends them is that of their transactions.
create function end_begun_sessions() returns trigger language plpgsql as $$
begin
  if new.sessions_valid_from is distinct from old.sessions_valid_from then
    new.sessions_valid_from := greatest(new.sessions_valid_from, old.sessions_valid_from,
      (select max(logged_in_at) from sessions where user_id = new.id));
  end if;
  return new;
end
$$;
create trigger users_sessions_order before update of sessions_valid_from on users
  for each row execute function end_begun_sessions();

create function begin_after_ended_sessions() returns trigger language plpgsql as $$
begin
  new.logged_in_at := greatest(new.logged_in_at,
    (select sessions_valid_from + interval '1 millisecond' from users where id = new.user_id));
  return new;
end
$$;
create trigger sessions_order before insert on sessions
  for each row execute function begin_after_ended_sessions();
