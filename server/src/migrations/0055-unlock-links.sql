-- Links that end the lock of an account after failed sign-ins.

alter table user_links drop constraint user_links_purpose_check;
alter table user_links
  add constraint user_links_purpose_check
  check (purpose in ('confirm_email', 'confirm_new_email', 'reset_password', 'unlock_sign_in'));
