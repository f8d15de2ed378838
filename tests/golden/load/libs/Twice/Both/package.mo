within Twice;
package Both
  model M
  end M;
end Both;
